async def collect(stream):
    parts = []
    async for part in stream:  # here
        parts.append(part)
    return [p async for p in stream]  # here
