async def read(stream):
    while (chunk := await stream.read()):
        yield stream  # here the chunk
