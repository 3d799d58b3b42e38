def alone():  # here
    pass
