class A:
    # cached
    @cache  # here
    @property
    def f(self):
        return [1]
