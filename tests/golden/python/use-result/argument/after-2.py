class A:
    def f(self, layer):
        if self.old:
            # turned
            return self.transpose(  # here
                layer, 1)  # here
        return layer
