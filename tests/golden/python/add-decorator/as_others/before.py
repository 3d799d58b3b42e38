@compiler.disable
def f(x):
	return x


async def g(x):  # here
	return f(x)
