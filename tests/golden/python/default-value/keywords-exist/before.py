def f(a, **kwargs):  # here
    return a
