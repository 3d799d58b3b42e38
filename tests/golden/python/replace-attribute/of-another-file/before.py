def f(options):
    return options.lengths  # here
