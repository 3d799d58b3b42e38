class A:
    def f(self, params):
        self.groups = []
        for p in params:
            self.make_group(p)  # here
