async def f(q):
	return await q.barrier(
		1,  # ours
		timeout_s=2,  # here
	)

def g(q):
	q.barrier(timeout=1)
