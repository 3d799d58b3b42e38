@checked
def f(path, other):
	if path is not None:
		result = path
	else:  # here
		assert other is not None
		result = other.name
	return result
