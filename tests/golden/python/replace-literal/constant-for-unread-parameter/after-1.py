def group_of(context, parallel_mode):
    return context.group(parallel_mode)  # here
