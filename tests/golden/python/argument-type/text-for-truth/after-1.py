async def f(group):
	group.add_argument('--fast', action="store_true", default=False)  # here
