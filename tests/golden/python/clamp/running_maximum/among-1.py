def widest(rows):
    widest = 0
    for row in rows:
        widest = max(widest, len(row))  # here
    return widest
