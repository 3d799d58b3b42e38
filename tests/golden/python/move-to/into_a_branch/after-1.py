def f(params, groups):
    out = []
    for p in params:
        # the group
        if p in groups:  # here
            group = groups[p]
            out.append(group)  # here
            use(p)
    return out
