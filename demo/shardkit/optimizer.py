"""SGD with momentum whose state is sharded: a rank keeps the momentum of its own elements only."""

import math

from shardkit import comm
from shardkit.partition import shard, shard_bounds


class Parameter:
    def __init__(self, name, values):
        self.name = name
        self.values = list(values)
        self.grad = None


def global_norm(params):
    total = 0.0
    for param in params:
        if param.grad is None:
            continue
        total += sum(value * value for value in param.grad)
    return math.sqrt(total)


class ShardedSGD:
    def __init__(self, params, config, momentum=0.9):
        self.params = params
        self.config = config
        self.momentum = momentum
        self.steps = 0
        rank, size = comm.get_rank(), comm.get_world_size()
        self.state = {p.name: [0.0] * len(shard(p.values, rank, size)) for p in params}

    def clip_gradients(self):
        """Scales the gradients down to the configured norm; the norm before."""
        norm = global_norm(self.params)
        limit = self.config.clip
        if limit is not None and norm > limit:
            for param in self.params:
                if param.grad is not None:
                    param.grad = [value * limit / norm for value in param.grad]
        return norm

    def step(self):
        self.clip_gradients()
        rank, size = comm.get_rank(), comm.get_world_size()
        for param in self.params:
            if param.grad is None:
                continue
            start, end = shard_bounds(len(param.values), rank, size)
            state = self.state[param.name]
            for index in range(start, end):
                state[index - start] = self.momentum * state[index - start] + param.grad[index]
                param.values[index] -= self.config.learning_rate * state[index - start]
        self.steps += 1

    def zero_grad(self):
        for param in self.params:
            param.grad = None

    def state_dict(self):
        return {"steps": self.steps, "momentum": {k: list(v) for k, v in self.state.items()}}

    def load_state_dict(self, saved, strict=True):
        """Takes a saved state. Parameters that are not in it are an error only if strict."""
        missing = sorted(set(self.state) - set(saved["momentum"]))
        if missing and strict:
            raise KeyError(f"no saved state for {', '.join(missing)}")
        self.steps = saved.get("steps", 0)
        for name, values in saved["momentum"].items():
            if name in self.state:
                self.state[name] = list(values)
