@cached
def f(x):
    return g(x, *x)
