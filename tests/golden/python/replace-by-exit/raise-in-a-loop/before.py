def load(names, known):
    for name in names:
        if name not in known:
            raise KeyError(name)  # here
        known[name].load()
