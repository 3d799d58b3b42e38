class Model:
    def state(self, prefix="", metadata=None):  # here
        return collect(prefix, metadata=metadata)  # here


def collect(prefix="", metadata=None):
    return prefix
