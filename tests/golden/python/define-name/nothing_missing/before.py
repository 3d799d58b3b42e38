def f(config):
    version = len(config)  # here
    return version  # here
