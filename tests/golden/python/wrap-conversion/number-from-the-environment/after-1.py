import os


class Launcher:
    def size(self):
        # world
        size = os.environ["SIZE"]
        if int(size) >= 2:  # here
            return size
