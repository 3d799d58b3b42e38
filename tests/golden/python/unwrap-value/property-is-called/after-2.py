def f(x):
    # the width
    return x  # here
