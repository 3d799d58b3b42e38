def widest(rows):
    widest = 0
    for row in rows:
        widest = len(row)  # here
    return widest
