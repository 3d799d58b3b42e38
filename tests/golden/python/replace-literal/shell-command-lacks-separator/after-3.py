def command(script, exports):
	def inner():
		return "export A=1 " + f" source {script}" + exports  # here
	return inner()
