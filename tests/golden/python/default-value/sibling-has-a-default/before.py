class A:
    def step(self, closure):  # here
        return closure


class B:
    def step(self, closure=noop):
        return closure
