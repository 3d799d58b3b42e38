async def f(port):
	return await connect(
		int(port) + 1,  # here
	)
