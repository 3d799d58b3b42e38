import torch
from torch import inf  # here


def norm(x):
    return x == inf
