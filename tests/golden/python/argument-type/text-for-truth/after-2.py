async def f(group):
	group.add_argument('--fast', type=int, default=False)  # here
