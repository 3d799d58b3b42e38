class Proxy:
    def get(self, key):
        return self.inner.get(key)  # here
