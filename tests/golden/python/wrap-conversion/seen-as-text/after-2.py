async def f(port):
	return await connect(
		float(port) + 1,  # here
	)
