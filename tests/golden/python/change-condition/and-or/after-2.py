def ready(a, b, c):
    return a and b and c  # here
