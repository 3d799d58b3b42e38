def f(a=None, **kwargs):  # here
    return a
