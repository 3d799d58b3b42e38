def forever():
    while True:  # here
        pass
