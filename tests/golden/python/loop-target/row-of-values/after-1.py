def index(a, b):
    for i, value in enumerate((a, b)):  # here
        print(value)
