def f(x):
    y = str("a"  # here
            "b".format(x))
    return y
