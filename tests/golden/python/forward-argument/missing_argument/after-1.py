class Cache:
    async def get(self, size, dtype):
        if (found := self.table.get(size)):
            return found
        return make(
            size,  # in elements
            dtype=dtype,
        )  # here


def make(size, dtype):
    return size
