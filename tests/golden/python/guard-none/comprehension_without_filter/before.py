def norms(params):
    total = sum(p.grad.norm() for p in params)  # here
    return total
