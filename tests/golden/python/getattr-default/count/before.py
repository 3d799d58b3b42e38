def count(words):
    table = {}
    for word in words:
        table[word] += 1  # here
    return table
