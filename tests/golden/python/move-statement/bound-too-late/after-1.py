async def f(x):
	name = x.name
	# after
	use(
		name,  # here
	)
