async def copy(source, target):
	position = 0
	while block := await source.read(131072):  # here
		await target.write(block, position)
		position += len(block)
