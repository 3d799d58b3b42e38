class Cache:
    async def get(self, size, dtype):
        if (found := self.table.get(size)):
            return found
        return make(
            size, dtype=dtype,  # in elements
        )  # here


def make(size, dtype):
    return size
