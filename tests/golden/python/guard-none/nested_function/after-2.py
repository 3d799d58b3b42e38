def outer(hook):
    @register
    def inner(x):
        if hook is None:
            return x
        hook.fire(x)  # here
        return x
    return inner
