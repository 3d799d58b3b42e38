def rename(state, prefix):
    return {prefix + key: value for key, value in state or {}}  # here
