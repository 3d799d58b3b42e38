def check(count, limit):
    assert (count, limit, 1)  # here
