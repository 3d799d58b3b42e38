def dtype_of(config):
    kind = config.get("bf16")  # here
    if kind:
        return kind
    return config.get("bf16_enabled", config["bf16"])
