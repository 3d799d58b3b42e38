def f(x):
    return x is not None and x.size
