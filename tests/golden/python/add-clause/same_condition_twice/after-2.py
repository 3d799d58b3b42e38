def split(values, keep):
    left, right = [], []
    for v in values:
        match = keep(v)
        if match and v:  # here
            left.append(match)
        if match:
            right.append(v)
    return left, right
