def is_pair(words):
    paired = True  # len(words) > 1  # here
    return paired
