def f():
    """Says something."""
    pass
