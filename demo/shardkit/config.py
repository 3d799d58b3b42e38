"""The training configuration: a dictionary of the user, checked and given defaults."""

KNOWN_KEYS = {
    "train_batch_size",
    "micro_batch_size",
    "stage",
    "learning_rate",
    "gradient_clipping",
    "bucket_size",
}


class Config:
    def __init__(self, data, world_size=1):
        unknown = sorted(set(data) - KNOWN_KEYS)
        if unknown:
            raise ValueError(f"unknown configuration keys: {', '.join(unknown)}")
        self.world_size = world_size
        self.train_batch_size = data.get("train_batch_size", world_size)
        self.micro_batch_size = data.get("micro_batch_size", 1)
        self.stage = data.get("stage", 1)
        self.learning_rate = data.get("learning_rate", 0.1)
        self.clip = data.get("gradient_clipping")
        self.bucket_size = data.get("bucket_size", 8)
        self._check()

    def _check(self):
        if self.stage not in (0, 1, 2, 3):
            raise ValueError(f"stage {self.stage} is not 0, 1, 2 or 3")
        if self.train_batch_size % (self.micro_batch_size * self.world_size):
            raise ValueError(
                f"train_batch_size {self.train_batch_size} does not divide into micro batches of "
                f"{self.micro_batch_size} on {self.world_size} ranks"
            )

    def accumulation_steps(self):
        return self.train_batch_size // (self.micro_batch_size * self.world_size)
