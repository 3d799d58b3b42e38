class A:
    async def f(self, x):
        # one
        y = g(x)  # here
        return y
