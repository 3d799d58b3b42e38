def barrier(backend, timeout):
    return backend.monitored_barrier(timeout=timeout)  # here
