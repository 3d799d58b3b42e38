def is_full(queue, limit):
    if queue is None:
        return False
    size = queue.size()  # here
    if size == 0:
        return False
    return size >= limit
