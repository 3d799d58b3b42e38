def decay(step, factor, offset):
    low = offset + factor
    return -(step + factor) ** 2 + low  # here
