from codec import decode


async def load(store, keys):
    found = [decode(await store.read(key)) for key in keys]
    last = await store.read(keys[-1])  # here
    return found, last
