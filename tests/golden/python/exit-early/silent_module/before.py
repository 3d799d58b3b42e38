import os

DEBUG = os.environ.get("DEBUG")  # here
