def count(words):
    table = {}
    for word in words:
        table[word] = table.get(word, 0) + 1  # here
    return table
