def outer():
	async def f(a, b: int = 0, c=None):  # here
		return a
	return f
