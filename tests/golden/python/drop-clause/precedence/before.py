def fits(a, b, c):
    return a and b or c  # here
