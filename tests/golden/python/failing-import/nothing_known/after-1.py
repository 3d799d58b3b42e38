try:
    import os  # here
except ImportError:
    os = None

print(os.sep)
