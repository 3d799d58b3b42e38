class Actor(Model):
    def __init__(self, rank):  # here
        super().__init__(rank)  # here
