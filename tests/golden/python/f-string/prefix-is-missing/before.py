class Reader:
    def check(self, line):
        def fail():
            raise ValueError("bad line {line}")  # here
        return fail
