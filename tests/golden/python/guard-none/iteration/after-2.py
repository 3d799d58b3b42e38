def names(config):
    found = []
    for group in config.groups or []:  # here
        found.append(group)
        found.sort()
        found.reverse()
        found.append(group)
    return found
