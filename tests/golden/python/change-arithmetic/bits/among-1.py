def ones(n):
    count = 0
    while n:
        n &= n - 1  # here
        count += 1
    return count
