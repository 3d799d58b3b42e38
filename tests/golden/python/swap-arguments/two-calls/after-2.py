class Monitors:
    def __init__(self, config):
        self.tensorboard = TensorBoard(config.csv)
        # the others
        self.wandb = Wandb(config.tensorboard)  # here
        self.csv = Csv(config.wandb)
