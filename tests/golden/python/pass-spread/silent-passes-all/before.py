def save(path, *args, **kwargs):
    write(path, *args, **kwargs)  # here
