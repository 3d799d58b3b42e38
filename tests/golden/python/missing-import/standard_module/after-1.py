"""Docs."""
from __future__ import annotations

import os
import time

PORT = 1


def wait(seconds):
    time.sleep(seconds)  # here
    return os.getpid()
