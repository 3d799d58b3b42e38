def paths(root):
    sources = root + "/train/source.txt"
    targets = root + "/train/source.txt"  # here
    return sources, targets, "target"
