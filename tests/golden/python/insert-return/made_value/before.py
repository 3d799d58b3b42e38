@cached
def build(names):
    table = {}
    for name in names:
        table[name] = len(name)  # here
    print(table)  # here
