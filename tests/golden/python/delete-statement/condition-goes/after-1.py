def f(x):
	# copy it
	y = x.copy(1,
	           2)

	return y
	return None
