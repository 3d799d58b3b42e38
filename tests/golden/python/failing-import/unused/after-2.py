try:
    from .index_file import IndexFile  # here
except ImportError:
    IndexFile = None

SIZE = 1
