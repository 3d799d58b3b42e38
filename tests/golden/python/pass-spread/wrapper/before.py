def wrapper(*args, **kwargs):
    return inner(1)  # here
