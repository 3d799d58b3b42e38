import lib


def sync():
    if hasattr(lib.comm, "barrier"):
        lib.comm.barrier()
    else:
        lib.comm.barrier_all()  # here
