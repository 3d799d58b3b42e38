NAMES = ["a"]  # here
