def newest(paths):
    # by name
    return sorted(paths)[0], paths[0]  # here
