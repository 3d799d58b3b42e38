def cross_check(samples, packing=False, shuffle=False):
    if not shuffle:  # here
        samples = pack(samples, packing)
    return samples
