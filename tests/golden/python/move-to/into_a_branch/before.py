def f(params, groups):
    out = []
    for p in params:
        # the group
        group = groups[p]  # here
        if p in groups:  # here
            out.append(group)  # here
            use(p)
    return out
