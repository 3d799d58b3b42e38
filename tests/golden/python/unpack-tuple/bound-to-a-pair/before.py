async def f(model):
	output = await model.forward()  # here
	# use it
	return output.loss
