class A:
    def size(self):
        return 1


async def f(a):
	return a.size + 1  # here
