class Timer:
	def report(self):
		self.sink.write(  # here
			self.name,
			self.total,
		)
		self.total = 0
