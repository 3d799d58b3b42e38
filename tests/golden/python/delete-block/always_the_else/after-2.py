class A:
    async def f(self, x):
        return y
