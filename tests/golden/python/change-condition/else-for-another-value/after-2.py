def plan(config):
    if config.mode == "full":
        return 1
    elif config is not None:  # here
        raise ValueError(config)


def check(config):
    return config.mode == "selective"
