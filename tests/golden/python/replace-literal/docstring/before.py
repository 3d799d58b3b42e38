def f():
    """Says nothing of `x`."""
    return
