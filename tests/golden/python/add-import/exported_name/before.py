from .other_chunk import A, B  # here

__all__ = ["A", "B", "search"]
