import torch


def f(model, data):
	for x in data:
		out = model(
			x)  # here
		torch.distributed.barrier()
		stop = time()  # here
	return stop
