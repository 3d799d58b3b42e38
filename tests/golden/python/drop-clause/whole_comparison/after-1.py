def check(env, fp16, config):
    assert fp16 == config.scaling  # here
