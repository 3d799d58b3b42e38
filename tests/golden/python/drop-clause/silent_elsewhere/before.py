def fits(a, b):
    c = a and b
    return c  # here
