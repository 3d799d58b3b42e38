def merge(values, k):
    head = sorted(values[:k])
    for value in values[k:]:  # here
        head.append(value)
    return head
