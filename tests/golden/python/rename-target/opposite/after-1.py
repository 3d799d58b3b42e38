def bounds(values):
    new_min = None
    new_max = None
    for value in values:
        new_min = value if new_min is None else min(new_min, value)
        new_max = value if new_max is None else max(new_max, value)  # here
    return new_min, new_max
