def f(group):
    def g():
        if group is None:
            pass  # here
    return g
