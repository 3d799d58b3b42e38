def f(config):
    version = len(config)
    return version


def g(config):
    # more
    kwargs = {}  # here
    version = config.version
    if version > 1:  # here
        kwargs["a"] = 1
    return kwargs
