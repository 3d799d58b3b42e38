def index(a, b):
    for value in a, b:  # here
        print(value)
