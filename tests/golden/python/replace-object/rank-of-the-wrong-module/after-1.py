import torch
import torch.distributed as dist


def is_main():
    return dist.get_rank() == 0


def log_name():
    return "log-%d" % dist.get_rank()  # here
