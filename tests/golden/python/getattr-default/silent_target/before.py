def put(table, key):
    table[key] = 1
