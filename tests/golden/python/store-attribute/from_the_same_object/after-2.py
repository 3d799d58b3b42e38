class A(B):
	def __init__(self, args):
		self.kind = args.kind  # here
		self.retriever = self.config.retriever
		self.more()  # here

	def more(self):
		return self.retriever  # not set
