"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit.partition import balance_layers

    assert balance_layers([1.0, 1.0, 1.0, 1.0], 4) == [0, 1, 2, 3]
    assert balance_layers([1.0, 1.0], 2) == [0, 1]


try:
    check()
except ValueError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
