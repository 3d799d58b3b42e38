def plan(config):
    if config.mode == "full":
        return 1
    else:  # here
        raise ValueError(config)


def check(config):
    return config.mode == "selective"
