"""Text."""
# Licence.
import os  # here

import torch  # here


def f(x):
    warnings.warn(os.sep)
