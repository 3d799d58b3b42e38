class A:
    def __init__(self, size, depth):
        super().__init__()  # here
        # sizes
        self.depth = self.config.depth
        self.size = size  # here

    def f(self):
        return self.size * self.depth
