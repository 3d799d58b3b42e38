def are_on(values):
    first = values.get("a").enabled
    second = values.get("b")  # here
    return first or second
