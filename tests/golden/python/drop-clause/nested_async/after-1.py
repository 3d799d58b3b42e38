class A:
    @staticmethod
    def make(flag):
        async def run(x):
            assert flag, "none"  # here
        return run
