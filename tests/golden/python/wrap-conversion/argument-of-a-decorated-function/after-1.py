@cached(1)
def f(n):
    def g():
        return "n" + str(n)  # here
    return g
