def outer(hook):
    @register
    def inner(x):
        if hook is not None:
            hook.fire(x)  # here
        return x
    return inner
