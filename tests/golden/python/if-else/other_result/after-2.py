class Builder:
    def is_rocm(self):
        return False

    def flags(self):
        if not self.is_rocm():
            return ["-lcurand"]  # here
        else:
            return []
