class A:
	def __init__(self, x):
		self.x = x  # here
		# ready
		self.enable_more = False
		self.ready()  # here

	def ready(self):
		return self.enable_more and self.x
