async def total(queue, n):
    first = (await queue.get()).size
    for _ in range(n):
        first += await queue.get()  # here
    return first
