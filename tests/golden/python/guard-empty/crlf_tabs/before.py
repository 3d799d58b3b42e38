def drain(queue):
	while True:
		item = queue.pop()  # here
		print(item)
