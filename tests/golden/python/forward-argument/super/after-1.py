class Base:
    def __init__(self, steps, last_epoch=-1):
        self.steps = steps


class Warm(Base):
    @traced
    def __init__(self, steps, last_epoch=-1):
        super().__init__(steps, last_epoch=last_epoch)  # here
