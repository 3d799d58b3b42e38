async def f(model):
	output, *_ = await model.forward()  # here
	# use it
	return output.loss
