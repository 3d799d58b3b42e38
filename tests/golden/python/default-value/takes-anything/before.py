def f(*args, **kwargs):
    return args
