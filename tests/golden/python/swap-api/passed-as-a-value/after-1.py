@timed
def f(rows):
	return all_reduce(
		torch.maximum,  # here
		rows,
	)
