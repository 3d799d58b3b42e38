def same(self, other, strict=True):
    return self.name == other.name and strict  # here
