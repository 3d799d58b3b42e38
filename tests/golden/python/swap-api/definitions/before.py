class A:
    def append(self, max):
        min = max
        self.all = min + max
