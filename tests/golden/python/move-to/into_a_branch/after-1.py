def f(params, groups):
    out = []
    for p in params:
        # the group
        if p in groups:  # here
            group = groups[p]
            out.append(p)  # here
            use(group)
    return out
