def f(lengths, x):
    return len(x) * lengths  # here
