def check(size, limit):
    if size > limit:
        raise ValueError("too large", size, limit)  # here
