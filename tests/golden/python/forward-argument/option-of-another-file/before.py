def build(args):
    return make(args.path)  # here


def make(path, hidden_size=1):
    return path
