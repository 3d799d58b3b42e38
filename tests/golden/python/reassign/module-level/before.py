import os

ROOT = os.environ["ROOT"]  # here
print(ROOT)
