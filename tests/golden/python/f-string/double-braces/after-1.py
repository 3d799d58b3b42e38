@cached
def f(rank):
    return f"rank {rank} of {rank}"  # here
