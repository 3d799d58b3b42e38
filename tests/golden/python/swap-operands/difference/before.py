class Meter:
    def left(self):
        # seconds
        return self.start - self.now()  # here
