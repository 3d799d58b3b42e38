@timed
def f(x):
    a, b = g(x)  # here
    return a
