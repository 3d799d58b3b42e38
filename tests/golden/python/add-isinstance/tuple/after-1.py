def call(outputs):
    assert isinstance(outputs, (torch.Tensor, list, tuple, dict)), "type"  # here
