import torch
from torch.six import inf  # here


def norm(x):
    return x == inf
