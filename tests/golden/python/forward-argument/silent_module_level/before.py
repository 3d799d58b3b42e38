load()
