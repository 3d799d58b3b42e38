def f(groups, rates):
    for i, group in enumerate(groups):
        # its rate
        group.rate = rates[1]  # here
