try:
    import rich  # here
except ImportError:
    pass

console = rich.get_console() if rich else None
