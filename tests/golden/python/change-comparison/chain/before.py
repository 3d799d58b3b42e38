def f(low, x, high):
    def g():
        return low < x < high  # here
    return g
