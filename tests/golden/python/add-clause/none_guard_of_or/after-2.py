def ready(flag, hook):
    while flag or hook is not None and hook.pending:  # here
        flag = False
