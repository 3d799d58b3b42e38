def setup(config):
    if getattr(config, "multi_latent", False) and config.interleaved:  # here
        return True
