"""Who owns what: arithmetic of splitting lengths and layers over ranks."""


def ceil_div(total, parts):
    return -(-total // parts)


def shard_size(length, rank, parts):
    """Elements that a rank owns: the first `length % parts` ranks own one more."""
    if not 0 <= rank < parts:
        raise ValueError(f"rank {rank} is not in a group of {parts}")
    base, rest = divmod(length, parts)
    return base + (1 if rank < rest else 0)


def shard_bounds(length, rank, parts):
    """First and one past the last element that a rank owns."""
    start = sum(shard_size(length, r, parts) for r in range(rank))
    return start, start + shard_size(length, rank, parts)


def shard(values, rank, parts):
    start, end = shard_bounds(len(values), rank, parts)
    return values[start:end]


def padded(values, parts, fill=0.0):
    """The values with padding at the end, so that every rank owns the same number."""
    missing = ceil_div(len(values), parts) * parts - len(values)
    return [*values, *([fill] * missing)]


def balance_layers(weights, parts):
    """Splits layers into contiguous stages of about equal weight; the index where each starts."""
    if parts > len(weights):
        raise ValueError(f"{len(weights)} layers cannot fill {parts} stages")
    target = sum(weights) / parts
    starts, load = [0], 0.0
    for index, weight in enumerate(weights):
        left = len(weights) - index
        need = parts - len(starts)
        if need and index > starts[-1] and (load + weight > target or left <= need):
            starts.append(index)
            load = 0.0
        load += weight
    return starts


def stage_of(layer, starts):
    """The stage that holds a layer."""
    return max(stage for stage, start in enumerate(starts) if start <= layer)
