def flops(x, scale):
    flops = x
    flops *= scale  # here
    # and the rest
    flops * 2
    return flops
