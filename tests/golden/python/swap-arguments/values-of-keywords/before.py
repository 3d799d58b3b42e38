def f(rows, columns):
    return shape(rows=columns, columns=rows)  # here
