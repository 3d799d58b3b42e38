async def read(stream):
    while (chunk := await stream.read()):
        yield chunk  # here the chunk
