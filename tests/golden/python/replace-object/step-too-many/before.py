class Runner:
    @property
    def device(self):
        return self.model.config.device  # here

    def move(self, batch):
        return batch.to(self.model.device)
