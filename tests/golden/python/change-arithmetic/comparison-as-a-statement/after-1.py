def f(x):
    x.count = 3  # here
    return (x.a
            + x.b)
