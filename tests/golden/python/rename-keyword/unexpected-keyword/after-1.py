async def f(q):
	return await q.barrier(
		group=1,  # ours
		timeout=2,  # here
	)

def g(q):
	q.barrier(timeout=1)
