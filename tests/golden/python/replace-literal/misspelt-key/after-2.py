def dtype_of(config):
    kind = config.get("bf16_enabled")  # here
    if kind:
        return kind
    return config.get("bf16_enabled", config["bf16"])
