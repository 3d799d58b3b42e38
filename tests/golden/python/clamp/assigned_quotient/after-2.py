def merge(index):
    # one hundredth
    step = max(2, len(index) // 100)  # here
    return list(range(0, len(index), step))
