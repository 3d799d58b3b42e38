class Monitors:
    def __init__(self, config):
        self.tensorboard = TensorBoard(config.tensorboard)
        # the others
        self.wandb = Wandb(config.wandb)  # here
        self.csv = Csv(config.csv)
