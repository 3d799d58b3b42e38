@property
def is_empty(self):
    return len(self.items) < 0  # here
