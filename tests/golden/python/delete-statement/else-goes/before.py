async def f(x):
    for y in x:
        if y:
            a = 1
        else:  # here
            a = 2
            b = """
  text"""
        yield a
