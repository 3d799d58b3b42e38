def f(flag):
    # what comes
    print(flag)  # here
    value = False
    if flag:  # here
        value = int(
            flag)
    return value
