def stop(worker):
    if worker is None:
        return  # here
    worker.stop()
