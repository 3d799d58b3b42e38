@timed
def f(pairs):
	for key, value in pairs:  # here
		yield key
