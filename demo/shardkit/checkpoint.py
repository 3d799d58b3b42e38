"""Checkpoints: one file a rank, and their merge into one state."""

import json
import os
import re

SHARD = re.compile(r"^shard_(\d{3})\.json$")


def shard_name(rank=0):
    return f"shard_{rank:03d}.json"


def shard_path(folder, tag, rank=0):
    return os.path.join(folder, tag, shard_name(rank))


def save(state, folder, tag, rank=0, stage=1):
    """Writes the state of a rank and marks the tag as the latest."""
    path = shard_path(folder, tag, rank)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"stage": stage, "state": state}, out)
    with open(os.path.join(folder, "latest"), "w", encoding="utf-8") as out:
        out.write(tag)
    return path


def latest_tag(folder):
    """The tag that was saved last; None where nothing was saved."""
    try:
        with open(os.path.join(folder, "latest"), encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        return None


def load_shards(folder, tag):
    """What each rank saved, in the order of ranks."""
    names = sorted(name for name in os.listdir(os.path.join(folder, tag)) if SHARD.match(name))
    shards = []
    for name in names:
        with open(os.path.join(folder, tag, name), encoding="utf-8") as file:
            shards.append(json.load(file))
    return shards


def load_rank(folder, tag, rank=0):
    with open(shard_path(folder, tag, rank), encoding="utf-8") as file:
        return json.load(file)["state"]


def restore(optimizer, folder, tag=None, rank=0, strict=True):
    """Loads what a rank saved into its optimizer; False where there is no checkpoint."""
    tag = tag or latest_tag(folder)
    if tag is None:
        return False
    optimizer.load_state_dict(load_rank(folder, tag, rank), strict=strict)
    return True


def split_key(stage):
    """How the ranks of a stage divide the momentum."""
    if stage <= 2:
        return "contiguous"
    if stage == 3:
        return "interleaved"
    raise ValueError(f"unknown stage {stage}")


def merge(shards):
    """The whole momentum by parameter, from what every rank saved."""
    stage = shards[0]["stage"]
    key = split_key(stage)
    whole = {}
    for name in shards[0]["state"]["momentum"]:
        parts = [shard["state"]["momentum"][name] for shard in shards]
        if stage <= 2:
            whole[name] = [value for part in parts for value in part]
        else:
            whole[name] = [value for row in zip(*parts) for value in row]
    return {"split": key, "momentum": whole}
