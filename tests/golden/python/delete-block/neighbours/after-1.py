def f(x):
    # prepare
    return x
