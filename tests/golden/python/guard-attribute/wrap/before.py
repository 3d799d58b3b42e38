def collect(params, grads):
    for param in params:
        grads.append(param.main_grad)  # here
