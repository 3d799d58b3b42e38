class Trainer:
    def step(self, loss):
        loss.backward()
        clip(self.model)  # here
        self.optimizer.step()
        self.steps += 1
