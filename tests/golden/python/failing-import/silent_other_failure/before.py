import os

print(os.sep)  # here
