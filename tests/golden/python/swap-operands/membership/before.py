def policy(names, module):
    def known():
        return any(module in name for name in names)  # here
    return known()
