class Client:
    async def send(self, request):
        return await self.call_once(request)

    async def send_all(self, requests):
        for request in requests:
            await self.check(request)
            reply = await self.call(request)  # here
        return reply
