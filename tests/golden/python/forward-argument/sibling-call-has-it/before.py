import torch


def gather(x, group):
    total = torch.zeros(1)
    collect(total, group=group, dim=0)
    collect(
        x,
        group=group,  # here
    )  # here
    return x
