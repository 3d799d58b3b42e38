def run(a):
    a.pin(blocking=False)  # here
    a.copy(blocking=False)
