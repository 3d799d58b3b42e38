def f(args):
    return args.hidden_size
