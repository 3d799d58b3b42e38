def fits(a, b):
    if (
        a.ready()  # first
        and b.ready()
    ):  # here
        return a
