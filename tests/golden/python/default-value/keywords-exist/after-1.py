def f(a, *args, **kwargs):  # here
    return a
