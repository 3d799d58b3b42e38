class A:
    def f(self, params):
        self.groups = []
        for p in params:
            return self.make_group(p)  # here
