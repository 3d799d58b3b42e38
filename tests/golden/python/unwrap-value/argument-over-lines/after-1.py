def f(x):
    y = ("a"  # here
            "b".format(x))
    return y
