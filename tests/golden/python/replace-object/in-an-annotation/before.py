import torch
import typing as t


def cast(x: torch.Optional):  # here
    return x


def other(y: t.Optional):
    return y
