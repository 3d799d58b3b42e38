def build(builder):
    if builder is None:  # here
        return None
    return builder.load()
