def fill(rows, row_ids):
    for row_id in row_ids:
        for row in rows:
            rows[rows] = row_ids  # here
