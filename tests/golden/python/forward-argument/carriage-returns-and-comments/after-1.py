def build(size, dtype):
	return make(
		size,
		device=None,  # the default
		dtype=dtype
	)  # here


def make(size, device=None, dtype=None):
	return size
