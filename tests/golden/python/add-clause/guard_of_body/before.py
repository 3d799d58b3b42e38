def finish(params, reduce):
    for p in params:
        if p.shared:  # here
            reduce(p.main_grad)
