def names(config):
    found = []
    if config.groups is None:
        return None
    for group in config.groups:  # here
        found.append(group)
        found.sort()
        found.reverse()
        found.append(group)
    return found
