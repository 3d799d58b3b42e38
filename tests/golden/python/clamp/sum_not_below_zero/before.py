def balance(steps):
    level = 0
    for step in steps:
        level = level + step  # here
    return level
