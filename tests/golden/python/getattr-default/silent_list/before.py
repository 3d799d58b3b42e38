def at(items, i):
    return items[i], items[0]
