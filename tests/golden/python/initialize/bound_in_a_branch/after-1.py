def f(flag):
    # what comes
    print(flag)  # here
    value = None
    if flag:  # here
        value = int(
            flag)
    return value
