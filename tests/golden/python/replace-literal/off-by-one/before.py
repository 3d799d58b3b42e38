def chunks(sizes):
    return [size for size in sizes if size > 1]  # here
