class Timer:
    def __init__(self, name):
        self.name_ = name

    def report(self):
        # by name
        print(self.name_)  # here
