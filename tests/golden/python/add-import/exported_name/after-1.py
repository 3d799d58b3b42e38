from .other_chunk import A, B, search  # here

__all__ = ["A", "B", "search"]
