def compare(left, right):
    for i, a, b in enumerate(zip(left, right)):  # here
        if a != b:
            return i
    return None
