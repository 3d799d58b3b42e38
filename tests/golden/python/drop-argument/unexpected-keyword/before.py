class Group:
    def wait(self):
        self.backend.barrier(group=self.group, timeout=3)  # here
