class Norm:
    def __init__(
        self,
        size,
        # here
        **kwargs
    ):
        self.size = size
