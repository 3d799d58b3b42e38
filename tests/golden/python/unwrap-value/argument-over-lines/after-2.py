def f(x):
    y = str(x)
    return y
