def state(module, destination=None, prefix=""):
    return module.state_dict(destination=destination, prefix=prefix)  # here
