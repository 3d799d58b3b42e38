def run(a):
    a.pin(blocking=True)  # here
    a.copy(blocking=True)
