class Plugin:
    def __init__(
        self,
        stage: int = 1,  # here
        use_fp8: bool = False,
    ):  # here
        self.stage = stage  # here
        self.use_fp8 = use_fp8
        self.ready = True  # here

    def build(self):
        return Optimizer(
            stage=self.stage,  # here
            use_fp8=self.use_fp8,
        )  # here


class Optimizer:
    def __init__(self, stage: int = 1, use_fp8: bool = False):
        self.stage = stage
