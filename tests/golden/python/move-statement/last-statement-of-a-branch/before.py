@cached
def f(x):
    if x:
        a = 1
        # in any case
        b = """
            text
        """  # here
    return b
