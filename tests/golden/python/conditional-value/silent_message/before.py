def fail(name):
    raise ValueError("no " + name)  # here
