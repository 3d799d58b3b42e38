def f(params, groups):
    out = []
    for p in params:
        # the group
        group = groups[p]  # here
        if p in groups:  # here
            out.append(p)  # here
            use(group)
    return out
