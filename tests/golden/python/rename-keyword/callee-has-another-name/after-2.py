class Layer:
    def scale(self, x, factor=1, bias=None):
        return x

    def run(self, x):
        def inner():
            return self.scale(x, 2)  # here
        return inner
