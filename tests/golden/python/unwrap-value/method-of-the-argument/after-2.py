def f(x):
    return unwrap(x)  # here
