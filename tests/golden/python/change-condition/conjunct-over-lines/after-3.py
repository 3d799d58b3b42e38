async def f(self):
    while (self.running()
           # and this
           and self.stopped is None):  # here
        await self.step()
