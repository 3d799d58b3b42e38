@cached
def ready(param):
    return (param.grad.numel() > 0  # here
            and param.grad is not None
            and param.ok)
