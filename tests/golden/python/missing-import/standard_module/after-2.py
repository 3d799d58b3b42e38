"""Docs."""
from __future__ import annotations

import os

PORT = 1


def wait(seconds):
    import time
    time.sleep(seconds)  # here
    return os.getpid()
