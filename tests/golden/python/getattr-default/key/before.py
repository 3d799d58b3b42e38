def setup(config):
    # optional
    size = config['size']  # here
    other = config.get('other', 4)
    return size
