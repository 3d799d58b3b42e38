def f(scale, out):
    # loss
    out[0] = scale(out[0])  # here
    return out
