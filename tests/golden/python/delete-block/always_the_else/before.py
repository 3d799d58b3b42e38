class A:
    async def f(self, x):
        if x.many:  # here
            y = [g(z) for z in x]  # here
        else:  # here
            # one
            y = g(x)  # here
        return y
