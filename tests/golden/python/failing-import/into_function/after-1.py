import os
try:
    import torch  # here
except ImportError:
    torch = None


def version():
    """The version."""
    # by torch
    return torch.__version__


def path():
    return os.sep
