def f(config):
    version = len(config)
    return version


def g(config):
    # more
    version = len(config)
    kwargs = {}  # here
    if version > 1:  # here
        kwargs["a"] = 1
    return kwargs
