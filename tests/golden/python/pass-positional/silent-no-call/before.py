def size(x):
    y = x  # here
    return y
