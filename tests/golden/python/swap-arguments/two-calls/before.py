class Monitors:
    def __init__(self, config):
        self.tensorboard = TensorBoard(config.tensorboard)
        # the others
        self.wandb = Wandb(config.csv)  # here
        self.csv = Csv(config.wandb)
