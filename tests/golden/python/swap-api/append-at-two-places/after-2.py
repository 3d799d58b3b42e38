def f(a, more):
    def g():
        a.extend(more)  # here
    a.extend(more)
    return g
