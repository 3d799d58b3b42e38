def names(config):
    found = []
    for group in config.groups:  # here
        found.append(group)
        found.sort()
        found.reverse()
        found.append(group)
    return found
