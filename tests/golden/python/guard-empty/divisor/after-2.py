def mean(total, count):
    if count == 0:
        return None
    return total / count  # here
