def merge(values, k):
    head = sorted(values[:k])
    for value in values:  # here
        head.append(value)
    return head
