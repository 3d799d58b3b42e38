def check(env, fp16, config):
    assert env.scaling  # here
