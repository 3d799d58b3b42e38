def barrier(backend, timeout):
    return backend.barrier(timeout=timeout)  # here
