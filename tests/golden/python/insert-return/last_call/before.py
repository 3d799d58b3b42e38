class Proxy:
    def get(self, key):
        self.inner.get(key)  # here
