class TorchBackend:
    def barrier(self):
        pass

    def monitored_barrier(self, timeout):
        pass
