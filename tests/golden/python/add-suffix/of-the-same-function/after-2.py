def are_on(values):
    first = values.get("a").enabled
    second = values.get("a").get("b")  # here
    return first or second
