def mean(total, count):
    return total / count  # here
