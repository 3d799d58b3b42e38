def collect(params, grads):
    for param in params:
        if not hasattr(param, "main_grad"):
            continue
        grads.append(param.main_grad)  # here
