def run(x):  # type: ignore
    # Note: this runs once.
    # noqa: here
    y = x  # copy
    # works
    return y  # done
