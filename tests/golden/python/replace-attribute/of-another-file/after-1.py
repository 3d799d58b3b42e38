def f(options):
    return options.length  # here
