import torch

def clip(x, limit):
    return torch.sum(x, limit)  # here
