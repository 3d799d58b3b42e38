@decorated
def is_empty(items):
    if not items:
        return None  # here
    return True
