import os


def version():
    """The version."""
    # by torch
    import torch
    return torch.__version__


def path():
    return os.sep
