class Writer:
    def open(self, name):
        return self.root / str(name)

    def add(self, tag, value):
        # Tags are kept as they come.
        value = str(value)
        self.tags[tag] = value  # here
