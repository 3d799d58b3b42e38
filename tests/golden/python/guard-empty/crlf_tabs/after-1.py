def drain(queue):
	while True:
		if len(queue) > 0:
			item = queue.pop()  # here
			print(item)
