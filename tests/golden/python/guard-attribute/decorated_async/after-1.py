class Server:
    @locked
    async def stop(self):
        if hasattr(self.loop, "shutdown_asyncgens"):
            await self.loop.shutdown_asyncgens()  # here
