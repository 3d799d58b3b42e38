class A:
    def __init__(self, size):
        self.size = size  # here

    def f(self):  # here
        return self.size
