class WarmUp:
    def __init__(self, steps):
        self.steps = max(1, steps)  # here
        self.scale = 1
