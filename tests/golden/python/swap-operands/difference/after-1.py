class Meter:
    def left(self):
        # seconds
        return self.now() - self.start  # here
