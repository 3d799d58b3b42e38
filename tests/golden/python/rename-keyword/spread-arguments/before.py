def f(x, *rest):
    return [*rest], x[0]
