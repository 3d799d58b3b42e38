def f(env, dist_rank, local_rank):
	env["dist_rank"] = str(dist_rank)  # here
	# go
	env["local_rank"] = str(local_rank)
	return [  # here
	    env]
