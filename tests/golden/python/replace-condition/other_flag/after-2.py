def cross_check(samples, packing=False, shuffle=False):
    if packing:  # here
        samples = pack(samples, packing)
    return samples
