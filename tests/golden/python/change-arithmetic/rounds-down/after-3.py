def pages(items, size):
    # all of them
    return (len(items) + size - 1) // size  # here
