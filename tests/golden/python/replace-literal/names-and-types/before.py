from typing import Literal

def f(x: Literal["a", "b"]) -> "int":
    y = x.lower
    return y[0]
