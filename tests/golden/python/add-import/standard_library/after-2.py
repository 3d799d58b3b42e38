"""Text."""
# Licence.
import warnings
import os  # here

import torch  # here


def f(x):
    warnings.warn(os.sep)
