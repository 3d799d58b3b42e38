def ready(flag, hook):
    while hook is not None and (flag or hook.pending):  # here
        flag = False
