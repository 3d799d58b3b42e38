def scale(x, factor):
    return x * factor


async def f(x, factor, mode):
    return scale(
        x,  # the input
        factor,
        mode,  # here
    )
