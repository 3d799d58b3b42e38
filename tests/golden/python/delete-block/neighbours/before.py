def f(x):
    # prepare
    a = g(x)  # here
    b = h(  # here
        x)  # here
    return x
