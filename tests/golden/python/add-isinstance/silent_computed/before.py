def f(x, types):
    return isinstance(x, type(types))
