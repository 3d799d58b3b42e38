@compiler.disable
def f(x):
	return x


@compiler.disable
async def g(x):  # here
	return f(x)
