async def f(a, b, c):
	return c - (a - b)  # here
