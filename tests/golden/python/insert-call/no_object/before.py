def f():
    for _ in ():  # here
        pass  # here
