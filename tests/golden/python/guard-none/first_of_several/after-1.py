def lookup(tree, key):
    for child in tree.values():
        if isinstance(child, dict):
            result = lookup(child, key)
            if result is not None:
                return result  # here
    return None
