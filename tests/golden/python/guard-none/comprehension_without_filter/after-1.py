def norms(params):
    total = sum(p.grad.norm() for p in params if p.grad is not None)  # here
    return total
