def f(x):
    a = b = x.size
    return a
