def f(x):
	first(x,  # here
	      1)
	if x:
		third(x)  # here
		second(x)
	return x  # here
