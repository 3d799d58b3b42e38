class Outer:
    limit = 3

    class Inner:
        def check(self, limits, limit):
            @wraps(self.check)
            def inner(value):
                return (value <  # here
                        limits)
            return inner
