@cached
def f(n):
    def g():
        return [i for i in range(n + 1)]  # here
    return g
