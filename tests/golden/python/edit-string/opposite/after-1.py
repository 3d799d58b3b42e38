def paths(root):
    sources = root + "/train/source.txt"
    targets = root + "/train/target.txt"  # here
    return sources, targets, "target"
