try:
    import os  # here
except ImportError:
    pass

print(os.sep)
