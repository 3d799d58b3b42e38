def documented():
    """Says what it does."""  # here
    return 1
