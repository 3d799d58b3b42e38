def split(tensors, dtype):
    return [t for t in tensors if t is not None and t.type() == dtype]  # here
