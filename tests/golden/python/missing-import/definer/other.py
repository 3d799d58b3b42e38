class Buffer:
    pass
