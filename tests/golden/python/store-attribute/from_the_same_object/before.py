class A(B):
	def __init__(self, args):
		self.kind = args.kind  # here
		self.more()  # here

	def more(self):
		return self.retriever  # not set
