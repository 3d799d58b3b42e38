import lib

lib.comm.barrier()
