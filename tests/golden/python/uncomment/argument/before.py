def build(model):
	return Optimizer(
		model.parameters(),
		# lr=model.lr,  # here
		betas=(0.9, 0.99),
	)
