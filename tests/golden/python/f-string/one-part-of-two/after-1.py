def f(host, port):
    # where to
    return (f"{host}:"
            f"{port}")  # here
