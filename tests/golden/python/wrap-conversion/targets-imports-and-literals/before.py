import os

def f(x: int) -> str:
    y = "1" * 2
