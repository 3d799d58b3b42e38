def check(mode, method):
    if method is not None:
        if mode == 'full':
            return True
    elif method is not None:  # here
        raise ValueError('no method')
