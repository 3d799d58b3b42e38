async def f(model):
	_, output = await model.forward()  # here
	# use it
	return output.loss
