def newest(paths):
    # by name
    if len(paths) > 0:
        return sorted(paths)[0], paths[0]  # here
