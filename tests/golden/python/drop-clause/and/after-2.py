def fits(a, b):
    if a is not None:  # here
        return a
    return b
