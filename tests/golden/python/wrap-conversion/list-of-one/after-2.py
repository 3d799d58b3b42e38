def rates(last):
    return int(0.0)  # here
