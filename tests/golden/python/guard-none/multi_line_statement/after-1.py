class Timer:
	def report(self):
		if self.sink is not None:
			self.sink.write(  # here
				self.name,
				self.total,
			)
		self.total = 0
