def f():
    return frobnicate()
