def g(options):
    return options.length
