async def f(x, n):
	return x[:]  # here
