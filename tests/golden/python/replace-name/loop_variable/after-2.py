def fill(rows, row_ids):
    for row_id in row_ids:
        for row in rows:
            row[rows] = row_id  # here
