@timed
def f(x):
    a, b, _ = g(x)  # here
    return a
