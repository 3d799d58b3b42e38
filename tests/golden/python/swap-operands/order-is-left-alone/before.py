def f(a, b):
    return a < b and b == a or a + b * a
