def f(x):
    return g(
        x,
    )


A = 1
