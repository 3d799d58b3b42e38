def explain(log):
    if log is not None:
        log.write("""first
second""")  # here
    return True
