def f(x):
    y = g(x)  # here
    return y.loss
