import os  # here


def f(x):
    return os.sep
