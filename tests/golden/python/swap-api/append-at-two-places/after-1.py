def f(a, more):
    def g():
        a.extend(more)  # here
    a.append(more)
    return g
