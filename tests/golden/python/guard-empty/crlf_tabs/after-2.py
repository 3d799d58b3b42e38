def drain(queue):
	while True:
		if len(queue) == 0:
			continue
		item = queue.pop()  # here
		print(item)
