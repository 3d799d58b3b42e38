def reduce(params, group):
    for param in params:
        if param.grad is not None:
            flat = param.grad.view(-1)  # here
            all_reduce(flat, group)
