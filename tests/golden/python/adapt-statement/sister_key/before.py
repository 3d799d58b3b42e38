def f(env, dist_rank, local_rank):
	env["dist_rank"] = str(dist_rank)  # here
	# go
	return [  # here
	    env]
