class Meter:
    def __init__(self):
        self.count = 0
        self.total = 0  # here

    def add(self, value):
        self.count += 1
        self.total += value
