class A:
    def reset(self, x):
        if x:
            # drop both
            self.value_memory = None  # here
            self.key_memory = None
        return self.key_memory  # here
