class Wrapper:
    async def load(self, state, strict=True):
        await self.inner.load(
            state,
            strict=False,  # here
        )
