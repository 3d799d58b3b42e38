class A:
    @staticmethod
    def make(flag):
        async def run(x):
            assert x, "none"  # here
        return run
