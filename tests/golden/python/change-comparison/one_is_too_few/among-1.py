def split(items):
    if len(items) <= 1:  # here
        return items
    return split(items[: len(items) // 2])
