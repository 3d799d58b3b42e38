def ready(a, b, c):
    return a or b or c  # here
