def search():
    pass
