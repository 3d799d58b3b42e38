class Reader:
    def check(self, line):
        def fail():
            raise ValueError(f"bad line {line}")  # here
        return fail
