def f(x: "int | None", y: int | str = "a"):
    return x
