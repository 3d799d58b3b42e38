def scale(x, factor):
    return x * factor


async def f(x, factor, mode):
    return scale(
        # the input
        factor,
        mode,  # here
    )
