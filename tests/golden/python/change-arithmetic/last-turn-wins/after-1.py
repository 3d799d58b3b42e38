async def total(parts):
	size = 0
	for part in parts:
		size = part.size  # here
	return size
