def f(x):
    y = x  # here
    y += 1  # here
