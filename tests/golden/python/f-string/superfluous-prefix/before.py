async def f(name):
	template = f"{name}: {0}".format(name)  # here
	return template
