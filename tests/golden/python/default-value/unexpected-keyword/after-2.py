class A:
    def __init__(
        self,
        a,  # the first
        b=1, **kwargs,
    ):  # here
        self.a = a
