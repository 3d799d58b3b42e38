f = lambda x: x
