class Plugin:
    def __init__(
        self,
        stage: int = 1,  # here
    ):  # here
        self.stage = stage  # here
        self.ready = True  # here

    def build(self):
        return Optimizer(
            stage=self.stage,  # here
        )  # here


class Optimizer:
    def __init__(self, stage: int = 1, use_fp8: bool = False):
        self.stage = stage
