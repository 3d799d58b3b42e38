def f(lengths, x):
    return x * lengths  # here
