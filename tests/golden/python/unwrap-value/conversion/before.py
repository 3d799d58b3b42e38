@property
def f(x):
    def g():
        return str(
            x  # here
        )
    return g
