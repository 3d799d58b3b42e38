def total(a):
    return a.size()  # here
