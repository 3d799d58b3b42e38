@cached
def f(rank):
    return "rank {{rank}} of {rank}"  # here
