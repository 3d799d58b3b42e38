def f(alpha):
    return alpha  # here
