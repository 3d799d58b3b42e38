def ready(flag, hook):
    while flag or hook.pending:  # here
        flag = False
