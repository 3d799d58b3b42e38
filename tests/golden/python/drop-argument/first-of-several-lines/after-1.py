@cached
def f(x):
	def g():
		return h(x,  # why
		         dtype=x.dtype)  # here
	return g
