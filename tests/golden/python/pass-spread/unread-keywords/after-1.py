def save(state, path, **kwargs):
    write(state, path, **kwargs)  # here
