def f(x):
    y: str = "a" + x
    return ["b"] + ["c" % y]
