async def f(x):
	use(
		name,  # here
	)
	# after
	name = x.name
