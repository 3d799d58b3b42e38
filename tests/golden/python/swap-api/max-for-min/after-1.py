import torch

def clip(x, limit):
    return torch.min(x, limit)  # here
