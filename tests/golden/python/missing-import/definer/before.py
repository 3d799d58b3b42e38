# No imports yet.
def make(size):
    return Buffer(size)  # here
