def lookup(tree, key):
    for child in tree.values():
        if isinstance(child, dict):
            return lookup(child, key)  # here
    return None
