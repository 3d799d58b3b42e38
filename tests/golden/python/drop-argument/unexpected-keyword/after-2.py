class Group:
    def wait(self):
        self.backend.barrier(timeout=3)  # here
