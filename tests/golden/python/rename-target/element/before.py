def fill(rows):
    rows[0] = 1  # here
    return rows
