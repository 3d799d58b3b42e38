def f(x):
	second(x)  # here
	if x:
		third(x)  # here
	first(x,  # here
	      1)
	return x  # here
