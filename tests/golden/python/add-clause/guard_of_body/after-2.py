def finish(params, reduce):
    for p in params:
        if p is not None and p.shared:  # here
            reduce(p.main_grad)
