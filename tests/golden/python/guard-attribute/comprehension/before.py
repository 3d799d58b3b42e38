def collect(params):
    return [param.main_grad for param in params]  # here
