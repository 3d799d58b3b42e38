# No imports yet.
def make(size):
    from pkg.other import Buffer
    return Buffer(size)  # here
