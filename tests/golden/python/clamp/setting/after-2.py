class WarmUp:
    def __init__(self, steps):
        self.steps = max(2, steps)  # here
        self.scale = 1
