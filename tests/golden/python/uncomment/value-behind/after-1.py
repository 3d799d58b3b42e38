def is_pair(words):
    paired = len(words) > 1  # len(words) > 1  # here
    return paired
