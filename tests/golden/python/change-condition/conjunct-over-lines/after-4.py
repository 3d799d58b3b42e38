async def f(self):
    while (not self.running()
           # and this
           and not self.stopped):  # here
        await self.step()
