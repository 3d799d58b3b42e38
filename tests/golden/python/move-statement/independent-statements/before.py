def f(x):
    """Of two."""
    a = x
    b = x
