async def f(name):
	template = "{name}: {0}".format(name)  # here
	return template
