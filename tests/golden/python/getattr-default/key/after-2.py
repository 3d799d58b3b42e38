def setup(config):
    # optional
    size = config.get('size')  # here
    other = config.get('other', 4)
    return size
