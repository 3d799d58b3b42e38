def f(x):
	first(x,  # here
	      1)
	second(x)  # here
	if x:
		third(x)  # here
	return x  # here
