def export(environment, extra):
    environment["ARGS"] = environment.get("ARGS", "") + f" {extra}"  # here
