def chunks(sizes):
    return [size for size in sizes if size > 0]  # here
