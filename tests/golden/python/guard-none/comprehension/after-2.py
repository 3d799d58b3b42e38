def split(tensors, dtype):
    if dtype is not None:
        return [t for t in tensors if t.type() == dtype]  # here
