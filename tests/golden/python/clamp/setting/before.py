class WarmUp:
    def __init__(self, steps):
        self.steps = steps  # here
        self.scale = 1
