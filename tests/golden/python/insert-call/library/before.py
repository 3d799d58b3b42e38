import torch


def f(model, data):
	for x in data:
		out = model(
			x)  # here
		stop = time()  # here
	return stop
