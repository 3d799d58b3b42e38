import lib


class A:
    def f(self):
        self.go()  # here
        return lib.go(  # here
            1)
