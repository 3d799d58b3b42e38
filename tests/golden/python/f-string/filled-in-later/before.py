def f(name):
    """Of {name}."""
    return "{name}".format(name=name), b"{name}"
