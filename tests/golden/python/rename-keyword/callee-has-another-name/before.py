class Layer:
    def scale(self, x, factor=1, bias=None):
        return x

    def run(self, x):
        def inner():
            return self.scale(x, factr=2)  # here
        return inner
