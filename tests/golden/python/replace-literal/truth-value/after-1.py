@decorated
def is_empty(items):
    if not items:
        return True  # here
    return True
