@cached
def ready(param):
    return (param.grad is not None  # here
            and param.grad.numel() > 0
            and param.ok)
