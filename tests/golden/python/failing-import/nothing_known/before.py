import os  # here

print(os.sep)
