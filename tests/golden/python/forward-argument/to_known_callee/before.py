def load(path, strict=True):
    # passes it on
    state = read(path)  # here
    return state


def read(path, strict=True):
    return path
