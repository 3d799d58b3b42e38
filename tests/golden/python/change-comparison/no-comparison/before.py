def f(x: "a < b", y=None):
    return x and not y or x.eq(y)
