def split(values, keep):
    left, right = [], []
    for v in values:
        match = keep(v)
        if match and v is not None:  # here
            left.append(match)
        if match:
            right.append(v)
    return left, right
