def reduce(params, group):
    for param in params:
        flat = param.grad.view(-1)  # here
        all_reduce(flat, group)
