def omega():
    return 1
