"""Collectives over a backend; the fake one keeps every rank of the group in this process."""

_backend = None


class FakeBackend:
    """Acts as `rank`, with peers that hold the same values."""

    def __init__(self, rank=0, size=1):
        self.rank = rank
        self.size = size
        self.log = []

    def all_reduce(self, values, op="sum"):
        if not values:
            raise ValueError("cannot reduce an empty buffer")
        self.log.append(("all_reduce", len(values)))
        factor = self.size if op == "sum" else 1
        return [value * factor for value in values]

    def reduce_scatter(self, values, op="sum"):
        if len(values) % self.size:
            raise ValueError(f"{len(values)} values do not divide over {self.size} ranks")
        self.log.append(("reduce_scatter", len(values)))
        chunk = len(values) // self.size
        factor = self.size if op == "sum" else 1
        return [value * factor for value in values[self.rank * chunk : (self.rank + 1) * chunk]]

    def all_gather(self, values):
        self.log.append(("all_gather", len(values)))
        return [list(values) for _ in range(self.size)]


def init(backend):
    global _backend
    _backend = backend


def backend():
    if _backend is None:
        raise RuntimeError("shardkit.comm.init has not been called")
    return _backend


def get_rank():
    return backend().rank


def get_world_size():
    return backend().size


def all_reduce(values, op="sum"):
    """Every rank gets the reduced values."""
    return backend().all_reduce(values, op=op)


def reduce_scatter(values, op="sum"):
    """Every rank gets its own part of the reduced values."""
    return backend().reduce_scatter(values, op=op)


def all_gather(values):
    """Every rank gets a list with the values of each rank."""
    return backend().all_gather(values)
