def f(x):
    logger.info(x)  # here
    y = g(x)  # here
    return y
