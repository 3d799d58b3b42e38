def policy(names, module):
    def known():
        return any(name in module for name in names)  # here
    return known()
