class A:
    def f(self, layer):
        if self.old:
            # turned
            layer = self.transpose(  # here
                layer, 1)  # here
        return layer
