def same(self, other, strict=True):
    return other is not None and self.name == other.name  # here
