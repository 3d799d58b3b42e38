def get(array, mode=None):
    return array, mode if mode is not None else array  # here
