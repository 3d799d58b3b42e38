from .index_file import IndexFile  # here

SIZE = 1
