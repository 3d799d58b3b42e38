import os


class Launcher:
    def size(self):
        # world
        size = os.environ["SIZE"]
        if size >= 2:  # here
            return size
