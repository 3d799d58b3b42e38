class Outer:
    limit = 3

    class Inner:
        def check(self, limits, limit):
            @wraps(check)
            def inner(value):
                return (value <  # here
                        limits)
            return inner
