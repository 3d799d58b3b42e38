def choices(k, items):
    if k == 0:
        return [k]  # here
    return [items]
