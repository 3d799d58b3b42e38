"""Gathers small gradients into buckets, so that they are reduced together."""

from shardkit import comm


class Bucket:
    def __init__(self, capacity):
        self.capacity = capacity
        self.params = []
        self.elements = 0

    def add(self, param):
        """Takes the gradient of a parameter; reduces first what does not fit beside it."""
        if self.elements + len(param.grad) > self.capacity:
            self.flush()
        self.params.append(param)
        self.elements += len(param.grad)

    def flush(self):
        """Reduces what is in the bucket and writes it back."""
        if not self.params:
            return
        flat = [value for param in self.params for value in param.grad]
        reduced = comm.all_reduce(flat, op="mean")
        offset = 0
        for param in self.params:
            param.grad = reduced[offset : offset + len(param.grad)]
            offset += len(param.grad)
        self.params = []
        self.elements = 0


def reduce_gradients(params, capacity):
    bucket = Bucket(capacity)
    for param in params:
        if param.grad is not None:
            bucket.add(param)
    bucket.flush()
