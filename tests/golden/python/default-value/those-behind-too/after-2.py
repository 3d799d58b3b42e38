def outer():
	async def f(a, b: int = None, c=None):  # here
		return a
	return f
