def half(total):
    return total // 2  # here
