def f(x):
    return g([x, 1, "a"])  # here
