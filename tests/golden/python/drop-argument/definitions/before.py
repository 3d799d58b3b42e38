class A(Base, metaclass=Meta):
    def f(self, a, b=1):
        return [a, b]
