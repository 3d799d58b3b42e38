import os

PORT = os.environ.get("MASTER_PORT", "")  # here
