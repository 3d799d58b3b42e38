def f(x):
    """Text."""
    return x  # here
