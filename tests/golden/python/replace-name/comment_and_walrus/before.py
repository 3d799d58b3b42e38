async def read(stream):
    while (chunk := await stream.read()):
        yield chunks  # here the chunk
