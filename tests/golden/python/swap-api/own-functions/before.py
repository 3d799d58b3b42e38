def f(x):
    return own(x).other(key=x)
