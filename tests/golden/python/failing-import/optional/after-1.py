try:
    import rich  # here
except ImportError:
    rich = None

console = rich.get_console() if rich else None
