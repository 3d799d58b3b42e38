import rich  # here

console = rich.get_console() if rich else None
