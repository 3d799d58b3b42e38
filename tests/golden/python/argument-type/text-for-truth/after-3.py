async def f(group):
	group.add_argument('--fast', type=float, default=False)  # here
