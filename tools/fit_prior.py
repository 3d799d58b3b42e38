#!/usr/bin/env python3
"""Learns templates/prior.txt from what `tenline corpus recall --part training --counts FILE` wrote.

usage: fit_prior.py COUNTS > templates/prior.txt

COUNTS has lines `key bin candidates hits`: how many proposals a template made at a kind of node with a
weight of that size, over all fixes, and how many of them were the developers' edit. The result is
hits per candidate, which orders proposals best when they are taken one by one. Rare cells lean on
the template at all nodes, and that one on a trend; within a row a larger weight is never worse.
"""

import collections
import sys

BINS = 24
STRENGTH = 0.5  # Hits that the expectation counts as much as.
JOINT = {"everywhere", "same-edit", "same-line", "pair", "group-pair", "pair-of-three", "triple"}


def shrunk(hits, candidates, expected):
    return (hits + STRENGTH) / (candidates + STRENGTH / expected)


def increasing(values, weights):
    """The non-decreasing sequence that is nearest to the values (pool adjacent violators)."""
    blocks = []
    for value, weight in zip(values, weights):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            value, weight, size = blocks.pop()
            below = blocks[-1]
            total = below[1] + weight
            below[0] = (below[0] * below[1] + value * weight) / total
            below[1] = total
            below[2] += size
    return [value for value, _, size in blocks for _ in range(size)]


def row(counts, rate, parent=None):
    """The probabilities of all bins. `parent`: those expected, else a trend with this mean rate."""
    total = sum(c for c, _ in counts)
    if parent is None:
        trend = [2.0 ** (0.5 * b) for b in range(BINS)]
        mean = sum(t * c for t, (c, _) in zip(trend, counts)) / max(total, 1)
        parent = [rate * t / mean if mean else rate for t in trend]
    values = [shrunk(h, c, min(p, 0.5)) for (c, h), p in zip(counts, parent)]
    return increasing(values, [c + STRENGTH / min(p, 0.5) for (c, _), p in zip(counts, parent)])


def main():
    cells = collections.defaultdict(lambda: [[0, 0] for _ in range(BINS)])
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            key, position, candidates, hits = line.rsplit(" ", 3)
            cell = cells[key][int(position)]
            cell[0] += int(candidates)
            cell[1] += int(hits)
    templates = collections.defaultdict(lambda: [[0, 0] for _ in range(BINS)])
    for key, counts in cells.items():
        if key in JOINT:
            continue
        for cell, (c, h) in zip(templates[key.split("/")[0]], counts):
            cell[0] += c
            cell[1] += h
    everything = sum(c for counts in templates.values() for c, _ in counts)
    average = sum(h for counts in templates.values() for _, h in counts) / everything

    print("# How likely a proposal is the fix: hits per candidate over mined fixes, by template, kind")
    print("# of node and size of the template's weight (24 bins, an octave each; 1 to 2 is the 19th).")
    print("# Made by tools/fit_prior.py; the rows without a slash are for kinds that were not seen.")

    def write(key, values):
        print(f"{key}: " + " ".join(f"{v:.2e}" for v in values))

    for template, counts in sorted(templates.items()):
        c = sum(c for c, _ in counts)
        h = sum(h for _, h in counts)
        rate = shrunk(h, c, average)
        rows = row(counts, rate)
        write(template, rows)
        for key, kind_counts in sorted(cells.items()):
            if key.split("/")[0] != template or key in JOINT:
                continue
            kc = sum(c for c, _ in kind_counts)
            kh = sum(h for _, h in kind_counts)
            expected = sum(p * c for p, (c, _) in zip(rows, kind_counts)) / kc
            factor = shrunk(kh, kc, expected) / expected
            write(key, row(kind_counts, 0, [p * factor for p in rows]))
    for key in sorted(JOINT & set(cells)):
        counts = cells[key]
        c = sum(c for c, _ in counts)
        h = sum(h for _, h in counts)
        write(key, row(counts, shrunk(h, c, average)))


if __name__ == "__main__":
    main()
