import torch


def f(model, data):
	for x in data:
		out = model(
			x)  # here
		torch.cuda.synchronize()
		stop = time()  # here
	return stop
