def load(names, known):
    for name in names:
        if name not in known:
            continue  # here
        known[name].load()
