def choose(a, b, use_both=False):
    if (
        a  # the first
        or b
    ):  # here
        return a
    return b
