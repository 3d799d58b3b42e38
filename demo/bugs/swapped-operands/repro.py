"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import comm
    from shardkit.partition import padded

    comm.init(comm.FakeBackend(rank=3, size=4))
    values = padded([1.0] * 10, 4)
    part = comm.reduce_scatter(values, op="mean")
    assert part == [1.0, 0.0, 0.0], part
    assert len(padded([1.0] * 5, 4)) == 8


try:
    check()
except (ValueError, AssertionError):
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
