import lib


def lazy(callback):
    if hasattr(lib.cuda, "_lazy_call"):
        return lib.cuda._lazy_call(callback)
    else:
        return lib.cuda.lazy_call(callback)  # here
