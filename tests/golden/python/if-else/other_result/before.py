class Builder:
    def is_rocm(self):
        return False

    def flags(self):
        return ["-lcurand"]  # here
