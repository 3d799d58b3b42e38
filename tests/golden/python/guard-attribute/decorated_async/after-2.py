class Server:
    @locked
    async def stop(self):
        if not hasattr(self.loop, "shutdown_asyncgens"):
            return
        await self.loop.shutdown_asyncgens()  # here
