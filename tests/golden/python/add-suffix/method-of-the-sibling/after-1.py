def merge(query, key):
	query = query.transpose(1, 2).contiguous()
	key = key.transpose(1, 2).contiguous()  # here
	return query, key
