def alone(x):  # here
    return x
