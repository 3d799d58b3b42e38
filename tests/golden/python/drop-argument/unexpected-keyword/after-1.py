class Group:
    def wait(self):
        self.backend.barrier(group=self.group)  # here
