def collect(params):
    return [param.main_grad for param in params if hasattr(param, "main_grad")]  # here
