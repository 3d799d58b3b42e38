class A:
    def __init__(
        self,
        a,  # the first
        b=1,
    ):  # here
        self.a = a
