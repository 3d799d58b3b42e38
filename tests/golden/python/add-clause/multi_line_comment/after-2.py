def choose(a, b, use_both=False):
    if (
        a  # the first
        or b
    ) and use_both:  # here
        return a
    return b
