@cached(1)
def f(n):
    def g():
        return "n" + int(n)  # here
    return g
