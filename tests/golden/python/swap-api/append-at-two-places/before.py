def f(a, more):
    def g():
        a.append(more)  # here
    a.append(more)
    return g
