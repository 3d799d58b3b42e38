async def total(parts):
	size = 0
	for part in parts:
		size = part.size * 2  # here
	return size
