class Norm:
    def size(self):  # here
        return 1
