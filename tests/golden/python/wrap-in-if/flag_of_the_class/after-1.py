class Engine:
    def __init__(self, config):
        self.is_pipe_parallel = config.stages > 1

    def share(self, losses):
        # every stage needs them
        if losses is not None:
            broadcast(losses,
                      group=self.group)  # here
        return losses

    def reduce(self, losses):
        if self.is_pipe_parallel:
            reduce(losses)
