def walk(tree):
    yield tree
    for child in tree:
        print(child)


def done(x):
    return x
