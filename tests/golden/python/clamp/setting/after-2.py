class WarmUp:
    def __init__(self, steps):
        steps = max(1, steps)
        self.steps = steps  # here
        self.scale = 1
