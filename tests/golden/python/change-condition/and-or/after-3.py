def ready(a, b, c):
    return a is not None and b or c  # here
