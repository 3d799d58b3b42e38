def lookup(tree, key):
    for child in tree.values():
        if isinstance(child, dict):
            if key is not None:
                return lookup(child, key)  # here
    return None
