try:
    import a
except Exception:
    a = None
