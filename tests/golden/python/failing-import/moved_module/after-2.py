import torch
try:
    from torch.six import inf  # here
except ImportError:
    inf = None


def norm(x):
    return x == inf
