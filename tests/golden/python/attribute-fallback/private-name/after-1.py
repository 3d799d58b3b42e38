import lib


def lazy(callback):
    if hasattr(lib, "lazy_call"):
        return lib.lazy_call(callback)
    else:
        return lib.cuda.lazy_call(callback)  # here
