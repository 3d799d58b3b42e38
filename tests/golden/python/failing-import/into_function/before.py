import os
import torch  # here


def version():
    """The version."""
    # by torch
    return torch.__version__


def path():
    return os.sep
