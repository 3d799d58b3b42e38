from .a import A
from .b import BGenerator

__all__ = [
    'BGenerator', 'A',  # here
]
