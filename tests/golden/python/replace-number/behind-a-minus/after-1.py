def window(n, step):
    return n - 2  # here
