def explain(log):
    if log is None:
        return False
    log.write("""first
second""")  # here
    return True
