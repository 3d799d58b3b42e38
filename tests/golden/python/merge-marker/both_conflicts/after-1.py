def f(x):
    return g(
        x,
        mask=x.mask,
    )


A = 2
