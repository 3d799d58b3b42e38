async def f(self):
    while (self.running()
           # and this
           and self.stopped):  # here
        await self.step()
