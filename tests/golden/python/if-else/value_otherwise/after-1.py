def load(module, experts=0):
    if experts > 0:
        if experts > 0:
            moe = has_layers(module)  # here
        else:
            moe = None
    return moe
