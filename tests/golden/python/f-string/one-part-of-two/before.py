def f(host, port):
    # where to
    return (f"{host}:"
            "{port}")  # here
