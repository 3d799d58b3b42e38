class A:
    def __init__(
        self,
        a,  # the first
        b=1, dtype=None,
    ):  # here
        self.a = a
