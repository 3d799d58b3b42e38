def f(x):
    y = x.a[0](x)
    for z in y:
        yield z
