@cached
def f(x):
    return [
        x[-1]  # here
        for _ in x[:, 1]
    ]
