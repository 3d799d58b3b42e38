class Model:
    def state(self, prefix=""):  # here
        return collect(prefix)  # here


def collect(prefix="", metadata=None):
    return prefix
