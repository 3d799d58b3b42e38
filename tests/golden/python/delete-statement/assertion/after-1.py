class Engine:
    @timed
    def step(self, x):
        # only once
        return x
