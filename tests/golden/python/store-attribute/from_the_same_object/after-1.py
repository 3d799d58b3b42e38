class A(B):
	def __init__(self, args):
		self.kind = args.kind  # here
		self.retriever = args.retriever
		self.more()  # here

	def more(self):
		return self.retriever  # not set
