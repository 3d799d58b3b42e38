def check(count, limit, spare):
    assert (count <= limit  # here
            or spare, "too many")
