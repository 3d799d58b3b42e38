import lib


def sync():
    if hasattr(lib, "barrier_all"):
        lib.barrier_all()
    else:
        lib.comm.barrier_all()  # here
