def f(rows):
    def g():
        for row in rows:
            size = row.size
            report(size)  # here
    return g
