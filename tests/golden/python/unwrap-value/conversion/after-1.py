@property
def f(x):
    def g():
        return x
    return g
