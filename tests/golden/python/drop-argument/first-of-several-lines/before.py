@cached
def f(x):
	def g():
		return h(x,  # why
		         device=x.device, dtype=x.dtype)  # here
	return g
