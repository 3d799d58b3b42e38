from .a import A
from .b import BGenerator

__all__ = [
    'A', 'BGenerator',  # here
]
