def is_full(queue, limit):
    size = queue.size()  # here
    if size == 0:
        return False
    return size >= limit
