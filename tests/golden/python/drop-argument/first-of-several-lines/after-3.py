@cached
def f(x):
	def g():
		return h(# why
		         device=x.device, dtype=x.dtype)  # here
	return g
