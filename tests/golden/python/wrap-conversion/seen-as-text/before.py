async def f(port):
	return await connect(
		port + 1,  # here
	)
