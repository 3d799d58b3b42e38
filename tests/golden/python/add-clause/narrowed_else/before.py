def check(mode, method):
    if method is not None:
        if mode == 'full':
            return True
    else:  # here
        raise ValueError('no method')
