def are_on(values):
    first = values.get("a").enabled
    second = values.get("b").enabled  # here
    return first or second
