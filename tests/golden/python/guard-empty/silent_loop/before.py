def show(rows):
    for row in rows:  # here
        print("row")
