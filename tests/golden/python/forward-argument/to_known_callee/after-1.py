def load(path, strict=True):
    # passes it on
    state = read(path, strict=strict)  # here
    return state


def read(path, strict=True):
    return path
