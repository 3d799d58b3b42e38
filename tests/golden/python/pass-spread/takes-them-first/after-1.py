class Actor(Model):
    def __init__(self, rank, **kwargs):  # here
        super().__init__(rank, **kwargs)  # here
