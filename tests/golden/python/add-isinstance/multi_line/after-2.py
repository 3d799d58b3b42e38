def move(batch):
    if isinstance(
        batch,
        (
            list,  # of tensors
            str,
        ),
    ):  # here
        return batch
    elif isinstance(batch, (dict, list)):
        return dict(batch)
