def train(
    model,
    shard: bool = True,  # here
):
    return model
