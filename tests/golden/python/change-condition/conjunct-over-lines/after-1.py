async def f(self):
    while (self.running()
           # and this
           or not self.stopped):  # here
        await self.step()
