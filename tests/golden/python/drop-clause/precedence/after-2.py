def fits(a, b, c):
    return b or c  # here
