def state(module, destination=None, prefix=""):
    return module.state_dict(destination, prefix)  # here
