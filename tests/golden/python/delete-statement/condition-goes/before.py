def f(x):
	if x.ready:  # here
		# copy it
		y = x.copy(1,
		           2)

		return y
	return None
