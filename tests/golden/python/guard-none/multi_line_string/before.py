def explain(log):
    log.write("""first
second""")  # here
    return True
