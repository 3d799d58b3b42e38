def group_of(context, parallel_mode):
    return context.group(ParallelMode.DATA)  # here
