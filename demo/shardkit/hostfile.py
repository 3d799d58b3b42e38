"""Reads hostfiles: one `name slots=N` a line, `#` starts a comment."""

import re

_LINE = re.compile(r"^(?P<name>[\w.-]+)\s+slots=(?P<slots>\d+)$")


def parse_hostfile(text):
    """Slots by host name, in the order of the file."""
    slots = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        match = _LINE.match(line)
        if match is None:
            raise ValueError(f"hostfile line {number} is not `name slots=N`: {line!r}")
        hostname = match.group("name")
        if hostname in slots:
            raise ValueError(f"hostfile line {number}: {hostname} is listed twice")
        slots[hostname] = int(match.group("slots"))
    if not slots:
        raise ValueError("hostfile names no host")
    return slots


def select_hosts(slots, include=None, exclude=None):
    """The hosts that a run may use: `include` and `exclude` are lists of names."""
    if include and exclude:
        raise ValueError("include and exclude cannot be used together")
    for name in [*(include or []), *(exclude or [])]:
        if name not in slots:
            raise ValueError(f"host {name} is not in the hostfile")
    if include:
        return {name: slots[name] for name in slots if name in include}
    return {name: count for name, count in slots.items() if name not in (exclude or [])}


def world_size(slots):
    return sum(slots.values())
