@cached(1)
def f(n):
    def g():
        return "n" + n  # here
    return g
