import lib


def lazy(callback):
    return lib.cuda.lazy_call(callback)  # here
