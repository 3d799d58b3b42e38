class Server:
    @locked
    async def stop(self):
        await self.loop.shutdown_asyncgens()  # here
