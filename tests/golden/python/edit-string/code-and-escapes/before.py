def report(name, names):
    """Say names."""  # here
    text = f"{name} of {names}"  # here
    return text + "\\name"  # here
