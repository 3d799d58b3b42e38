def f(x):
    def g():
        return [x[i + 1] for i in range(1, 3)]  # here
    return g
