def f(x):  # here
    return x
