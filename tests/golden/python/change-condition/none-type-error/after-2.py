def f(items):
    return [i.grad for i in items if not i]  # here
