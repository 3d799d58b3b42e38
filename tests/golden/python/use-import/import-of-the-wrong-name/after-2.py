from .other_layout import LayoutError  # here


def load(path):
    try:
        return open(path)
    except LayoutError:  # here
        return None
