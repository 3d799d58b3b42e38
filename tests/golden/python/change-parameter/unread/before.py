class Norm:
    def __init__(
        self,
        size,
        device="cuda",  # here
        **kwargs
    ):
        self.size = size
