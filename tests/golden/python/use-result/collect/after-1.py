class A:
    def f(self, params):
        self.groups = []
        for p in params:
            p = self.make_group(p)  # here
