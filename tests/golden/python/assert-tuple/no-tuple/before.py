def check(count, limit):
    assert (count <= limit), "too many"  # here
    assert count, (1, 2)  # here
