async def f(x):
	return [
		y for y in x
		if y is  None  # here
	]
