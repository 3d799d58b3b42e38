def f(params, groups):
    out = []
    for p in params:
        # the group
        group = groups[p]  # here
        out.append(group)
        if p in groups:  # here
            use(p)
    return out
