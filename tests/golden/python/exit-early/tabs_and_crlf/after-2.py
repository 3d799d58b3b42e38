def gather(tensor, group=None):
	size = world_size(group)
	if group is not None:
		return None
	return all_gather(tensor, size)  # here
