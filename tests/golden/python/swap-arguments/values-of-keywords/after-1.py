def f(rows, columns):
    return shape(rows=rows, columns=columns)  # here
