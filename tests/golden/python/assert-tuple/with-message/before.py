def check(count, limit):
    assert (count <= limit, f"{count} > {limit}")  # here
    return count
