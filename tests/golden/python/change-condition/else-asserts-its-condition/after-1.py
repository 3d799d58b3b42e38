@checked
def f(path, other):
	if path is not None:
		result = path
	elif other is not None:  # here
		assert other is not None
		result = other.name
	return result
