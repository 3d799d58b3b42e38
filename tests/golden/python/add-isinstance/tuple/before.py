def call(outputs):
    assert isinstance(outputs, (torch.Tensor, list, tuple)), "type"  # here
