def f(x):
    """Text."""  # here
    return x
