class Writer:
    def open(self, name):
        return self.root / str(name)

    def add(self, tag, value):
        # Tags are kept as they come.
        self.tags[tag] = value  # here
