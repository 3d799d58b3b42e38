def load(path, strict):
    return read(path, strict=strict)  # here
