def reduce(params, group):
    for param in params:
        if param.grad is None:
            continue
        flat = param.grad.view(-1)  # here
        all_reduce(flat, group)
