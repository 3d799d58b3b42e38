class A:
    def step(self, closure=noop):  # here
        return closure


class B:
    def step(self, closure=noop):
        return closure
