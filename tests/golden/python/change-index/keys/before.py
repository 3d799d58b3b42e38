def f(x, key):
    return x["a"][key]
