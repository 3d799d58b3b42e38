def f(HEAD, main):
    return HEAD << main
