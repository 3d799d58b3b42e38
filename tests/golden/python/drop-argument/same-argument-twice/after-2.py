def f(a):
    g(a)  # here
    g(a)
