@decorated
def is_empty(items):
    if not items:
        return False  # here
    return True
