def load(names, known):
    for name in names:
        if name not in known:
            pass  # here
        known[name].load()
