class A:
    def step(self, closure=None):  # here
        return closure


class B:
    def step(self, closure=noop):
        return closure
