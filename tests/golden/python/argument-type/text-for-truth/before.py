async def f(group):
	group.add_argument('--fast', type=bool, default=False)  # here
