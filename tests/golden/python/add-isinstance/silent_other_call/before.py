def f(x):
    return hasattr(x, "a")
