def pages(items, size):
    # all of them
    return len(items) / size  # here
