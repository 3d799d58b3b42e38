def f(flag):
    # what comes
    print(flag)  # here
    if flag:  # here
        value = int(
            flag)
    return value
