def is_full(queue, limit):
    if queue is not None:
        size = queue.size()  # here
        if size == 0:
            return False
        return size >= limit
