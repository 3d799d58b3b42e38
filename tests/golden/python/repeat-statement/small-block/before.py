class Loader:
    def first(self, path):
        if self.closed:
            self.reopen()
        return self.read(path)

    def second(self, path):
        return self.read(path)  # here
