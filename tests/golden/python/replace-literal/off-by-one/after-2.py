def chunks(sizes):
    return [size for size in sizes if size > 2]  # here
