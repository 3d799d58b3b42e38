async def f(self):
    while (self.running()
           # and this
           and not self.stopped):  # here
        await self.step()
