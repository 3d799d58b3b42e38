async def f(a, b, c):
	return b - a - c  # here
