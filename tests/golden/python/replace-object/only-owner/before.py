def shape_of(batch):
    return batch.shape  # here
