@timed
def f(pairs):
	for value, key in pairs:  # here
		yield key
