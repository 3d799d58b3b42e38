async def f(x):
    for y in x:
        if y:
            a = 1
        yield a
