import os

PORT = os.environ["MASTER_PORT"]  # here
