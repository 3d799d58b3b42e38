class A(Module):
    def forward(self, x):
        self.config.grad = x.grad  # here
        return self.run(  # here
            x) if self.training else x
