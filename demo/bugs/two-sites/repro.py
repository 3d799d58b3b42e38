"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import checkpoint

    shards = [{"stage": 1, "state": {"momentum": {"weight": part}}} for part in ([1, 2], [3, 4])]
    whole = checkpoint.merge(shards)
    assert whole["momentum"] == {"weight": [1, 2, 3, 4]}, whole


try:
    check()
except (ValueError, AssertionError):
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
