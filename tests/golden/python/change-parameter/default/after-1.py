def train(
    model,
    shard: bool = False,  # here
):
    return model
