async def f(group):
	group.add_argument('--fast', type=str, default=False)  # here
