class Builder:
    def is_rocm(self):
        return False

    def flags(self):
        if self.is_rocm():
            return ["-lcurand"]  # here
        else:
            return []
