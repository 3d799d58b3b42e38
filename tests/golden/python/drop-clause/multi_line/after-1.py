def fits(a, b):
    if (
        b.ready()
    ):  # here
        return a
