class Optimizer:
    def zero_grad(self):
        self.inner.zero_grad()

    def step(self, closure=None):
        # inner first
        result = self.inner.step()  # here
        return result  # here
