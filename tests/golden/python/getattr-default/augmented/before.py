def export(environment, extra):
    environment["ARGS"] += f" {extra}"  # here
