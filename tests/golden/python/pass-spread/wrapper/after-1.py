def wrapper(*args, **kwargs):
    return inner(1, *args, **kwargs)  # here
