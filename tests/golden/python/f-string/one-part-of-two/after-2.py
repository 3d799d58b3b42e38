def f(host, port):
    # where to
    return ("{host}:"
            "{port}")  # here
