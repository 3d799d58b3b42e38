def f(params, groups):
    out = []
    for p in params:
        # the group
        group = groups[p]  # here
        out.append(p)
        if p in groups:  # here
            use(group)
    return out
