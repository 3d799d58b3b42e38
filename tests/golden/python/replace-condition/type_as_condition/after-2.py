def build(builder):
    if builder is None or isinstance(builder, NotImplementedBuilder):  # here
        return None
    return builder.load()
