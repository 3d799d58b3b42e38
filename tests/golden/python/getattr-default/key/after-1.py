def setup(config):
    # optional
    size = config.get('size', 4)  # here
    other = config.get('other', 4)
    return size
