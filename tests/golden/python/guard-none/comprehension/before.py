def split(tensors, dtype):
    return [t for t in tensors if t.type() == dtype]  # here
