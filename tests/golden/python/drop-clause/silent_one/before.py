def fits(a):
    return not a
