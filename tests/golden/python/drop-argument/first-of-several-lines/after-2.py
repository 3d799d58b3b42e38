@cached
def f(x):
	def g():
		return h(x,  # why
		         device=x.device)  # here
	return g
