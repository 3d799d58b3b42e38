def cross_check(samples, packing=False, shuffle=False):
    if shuffle:  # here
        samples = pack(samples, packing)
    return samples
