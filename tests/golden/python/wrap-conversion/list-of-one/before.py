def rates(last):
    return 0.0  # here
