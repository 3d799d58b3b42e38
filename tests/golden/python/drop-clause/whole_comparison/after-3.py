def check(env, fp16, config):
    assert (env.scaling and fp16) == config.scaling  # here
