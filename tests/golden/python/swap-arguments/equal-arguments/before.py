def f(a):
    return g(a, a, *a, **a)
