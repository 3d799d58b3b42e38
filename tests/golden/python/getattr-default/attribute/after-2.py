def setup(config):
    if getattr(config, "multi_latent", None) and config.interleaved:  # here
        return True
