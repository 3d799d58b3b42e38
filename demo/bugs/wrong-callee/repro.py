"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import comm

    comm.init(comm.FakeBackend(rank=1, size=2))
    part = comm.reduce_scatter([1.0, 2.0, 3.0, 4.0])
    assert part == [6.0, 8.0], f"rank 1 got {part}, expected the second half"


try:
    check()
except AssertionError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
