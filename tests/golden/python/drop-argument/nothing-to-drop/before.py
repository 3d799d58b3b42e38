def f(a):
    return g()
