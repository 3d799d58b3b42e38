def f(x):
    return x.only  # here
