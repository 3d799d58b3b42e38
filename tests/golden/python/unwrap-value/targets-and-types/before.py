def f(x: "List[int]"):
    x, y = y, x
