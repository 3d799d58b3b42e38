@cached
def f(n):
    def g():
        return [i for i in range(n)]  # here
    return g
