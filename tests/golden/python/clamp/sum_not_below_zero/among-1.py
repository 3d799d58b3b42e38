def balance(steps):
    level = 0
    for step in steps:
        level = max(0, level + step)  # here
    return level
