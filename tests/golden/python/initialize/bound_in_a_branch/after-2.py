def f(flag):
    # what comes
    value = None
    print(flag)  # here
    if flag:  # here
        value = int(
            flag)
    return value
