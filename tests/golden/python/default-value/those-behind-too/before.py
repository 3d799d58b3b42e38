def outer():
	async def f(a, b: int, c):  # here
		return a
	return f
