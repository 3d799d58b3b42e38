def f(x):
    a = g(x)  # here
    b = h(x)
    return x
