def fits(a, b):
    if b > 0:  # here
        return a
    return b
