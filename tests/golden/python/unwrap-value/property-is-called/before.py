def f(x):
    # the width
    return x.shape()  # here
