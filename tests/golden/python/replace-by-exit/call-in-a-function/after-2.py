def stop(worker):
    if worker is None:
        pass  # here
    worker.stop()
