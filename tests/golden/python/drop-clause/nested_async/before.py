class A:
    @staticmethod
    def make(flag):
        async def run(x):
            assert x or flag, "none"  # here
        return run
