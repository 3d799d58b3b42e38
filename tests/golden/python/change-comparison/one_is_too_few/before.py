def split(items):
    if len(items) == 0:  # here
        return items
    return split(items[: len(items) // 2])
