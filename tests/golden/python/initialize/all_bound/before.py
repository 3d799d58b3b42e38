def f(flag):
    value = int(flag)  # here
    if flag:  # here
        value = 1
    return value
