async def copy(source, target):
	position = 0
	while block := await source.read(65536):  # here
		await target.write(block, position)
		position += len(block)
