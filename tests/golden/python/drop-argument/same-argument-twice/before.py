def f(a):
    g(a, 1)  # here
    g(a, 1)
