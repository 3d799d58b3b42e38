class Reader:
    async def read(self):
        try:
            return await self.source.get()  # here
        except Exception as missing:  # here
            raise RuntimeError from missing
