def pick(items, names):
    return {i.name: i for i in items if i.name is not None and (i.name in names or i.always)}  # here
