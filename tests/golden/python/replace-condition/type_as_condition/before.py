def build(builder):
    if builder is None or NotImplementedBuilder:  # here
        return None
    return builder.load()
