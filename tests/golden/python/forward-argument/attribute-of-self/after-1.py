class Engine:
    def __init__(self, dtype):
        self.dtype = dtype

    def build(self):
        return make(3, dtype=self.dtype)  # here


def make(size, dtype=None):
    return size
