def mean(total, count):
    if count != 0:
        return total / count  # here
