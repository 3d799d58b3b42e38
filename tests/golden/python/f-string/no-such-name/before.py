def f(x):
    return "{y} {0} {}", '{"x": 1}'
