def fits(a, b):
    if a is not None and b > 0:  # here
        return a
    return b
