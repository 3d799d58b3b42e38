def fill(rows, row_ids):
    for row_id in row_ids:
        for row in rows:
            rows[row] = row_id  # here
