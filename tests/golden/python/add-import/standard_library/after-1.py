"""Text."""
# Licence.
import os  # here

import warnings
import torch  # here


def f(x):
    warnings.warn(os.sep)
