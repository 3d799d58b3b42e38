def finish(params, reduce):
    for p in params:
        if p.shared and hasattr(p, "main_grad"):  # here
            reduce(p.main_grad)
