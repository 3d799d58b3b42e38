def outer(hook):
    @register
    def inner(x):
        hook.fire(x)  # here
        return x
    return inner
