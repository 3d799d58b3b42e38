async def f(model):
	output = await model[0].forward()  # here
	# use it
	return output.loss
