def fits(a, b):
    if (
        a.ready()
    ):  # here
        return a
