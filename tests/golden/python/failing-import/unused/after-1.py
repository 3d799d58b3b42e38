
SIZE = 1
