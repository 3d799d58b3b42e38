def collect(params, grads):
    for param in params:
        if hasattr(param, "main_grad"):
            grads.append(param.main_grad)  # here
