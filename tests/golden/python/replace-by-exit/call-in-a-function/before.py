def stop(worker):
    if worker is None:
        abort("no worker")  # here
    worker.stop()
