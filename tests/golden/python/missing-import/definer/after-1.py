# No imports yet.
from pkg.other import Buffer
def make(size):
    return Buffer(size)  # here
