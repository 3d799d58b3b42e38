def build():
    return plan()  # here
