def setup(config):
    if config.multi_latent and config.interleaved:  # here
        return True
