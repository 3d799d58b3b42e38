def f(x):
    if x > 1:
        y = 1
    # between
    if x > 0:  # here
        y = 2
    elif x < 0:  # here
        y = 3
    return y
