def f(x: Tuple[0]) -> Dict[str, int]:
    return x
