class A:
    # cached
    @property
    def f(self):
        return [1]
