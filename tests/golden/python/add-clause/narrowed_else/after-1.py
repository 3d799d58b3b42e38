def check(mode, method):
    if method is not None:
        if mode == 'full':
            return True
    elif mode == 'full':  # here
        raise ValueError('no method')
