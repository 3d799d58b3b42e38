def f(x):
    x(); x.y = 1
