def count(shape):
    return make(shape).numel()  # here
