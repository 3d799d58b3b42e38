def decay(step, factor, offset):
    low = offset + factor
    return -step ** 2 + low  # here
